import {
  Button,
  type CSSVariablesResolver,
  createTheme,
  Modal,
} from '@mantine/core';

const FONT =
  'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif';

/** Shades that keep 4.5:1 in both schemes. */
export const theme = createTheme({
  primaryColor: 'blue',
  primaryShade: { light: 9, dark: 9 },
  fontFamily: FONT,
  headings: { fontFamily: FONT },
  defaultRadius: 'sm',
  respectReducedMotion: true,
  cursorType: 'pointer',
  components: {
    // What a page is for is `filled`; everything else is quiet.
    Button: Button.extend({ defaultProps: { size: 'xs', variant: 'default' } }),
    // A dialog's head is no second banner of the page.
    Modal: Modal.extend({
      defaultProps: { attributes: { header: { role: 'presentation' } } },
    }),
  },
});

export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#495057',
    '--mantine-color-placeholder': '#5c636a',
    '--mantine-color-anchor': '#1864ab',
    '--mantine-color-error': '#a61e1e',
  },
  dark: {
    '--mantine-color-dimmed': '#c1c2c5',
    '--mantine-color-placeholder': '#a6a7ab',
    '--mantine-color-anchor': '#74c0fc',
    '--mantine-color-error': '#ffa8a8',
  },
});

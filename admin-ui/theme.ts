import {
  Button,
  type CSSVariablesResolver,
  createTheme,
  type MantineColorsTuple,
  Modal,
} from '@mantine/core';

const FONT =
  'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif';

/** From pale to the accent of the public pages, which keeps 4.5:1 to white. */
const ACCENT = [
  ...['#e2f0ec', '#c5e0d9', '#a7d1c6', '#8ac1b2', '#6cb29f'],
  ...['#4fa38c', '#37927b', '#24836d', '#187764', '#0f6a5f'],
] as unknown as MantineColorsTuple;

/** Shades that keep 4.5:1 in both schemes. */
export const theme = createTheme({
  primaryColor: 'accent',
  colors: { accent: ACCENT },
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
    '--mantine-color-body': '#faf9f6',
    '--mantine-color-dimmed': '#495057',
    '--mantine-color-placeholder': '#5c636a',
    '--mantine-color-anchor': '#0b5c63',
    '--mantine-color-error': '#a61e1e',
  },
  dark: {
    '--mantine-color-body': '#121517',
    '--mantine-color-dimmed': '#c1c2c5',
    '--mantine-color-placeholder': '#a6a7ab',
    '--mantine-color-anchor': '#7fcbd0',
    '--mantine-color-error': '#ffa8a8',
  },
});

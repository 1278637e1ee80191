import {
  Button,
  type CSSVariablesResolver,
  createTheme,
  type MantineColorsTuple,
  Modal,
} from '@mantine/core';

/** To the accent of the public pages, which keeps 4.5:1 to white. */
const ACCENT = [
  ...['#e2f0ec', '#c5e0d9', '#a7d1c6', '#8ac1b2', '#6cb29f'],
  ...['#4fa38c', '#37927b', '#24836d', '#187764', '#0f6a5f'],
] as unknown as MantineColorsTuple;

/** Shades that keep 4.5:1 in both schemes. */
export const theme = createTheme({
  primaryColor: 'accent',
  colors: { accent: ACCENT },
  primaryShade: { light: 9, dark: 9 },
  fontFamily: 'var(--sans)',
  fontFamilyMonospace: 'var(--mono)',
  headings: { fontFamily: 'var(--sans)' },
  defaultRadius: 'sm',
  respectReducedMotion: true,
  cursorType: 'pointer',
  components: {
    // The main action is `filled`, all others quiet.
    Button: Button.extend({ defaultProps: { size: 'xs', variant: 'default' } }),
    // A dialog's head is no second banner landmark.
    Modal: Modal.extend({
      defaultProps: { attributes: { header: { role: 'presentation' } } },
    }),
  },
});

/** look.css switches between the schemes itself. */
const COLOURS = {
  '--mantine-color-body': 'var(--paper)',
  '--mantine-color-text': 'var(--ink)',
  '--mantine-color-dimmed': 'var(--soft)',
  '--mantine-color-placeholder': 'var(--soft)',
  '--mantine-color-anchor': 'var(--link)',
  '--mantine-color-error': 'var(--bad)',
  '--mantine-color-default': 'var(--sheet)',
  '--mantine-color-default-hover': 'var(--code)',
  '--mantine-color-default-color': 'var(--ink)',
  '--mantine-color-default-border': 'var(--edge)',
  '--mantine-color-disabled': 'var(--code)',
  '--mantine-color-disabled-color': 'var(--soft)',
};

export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    ...COLOURS,
    '--mantine-color-gray-0': 'var(--code)',
    '--mantine-color-gray-3': 'var(--line)',
  },
  dark: {
    ...COLOURS,
    '--mantine-color-dark-4': 'var(--line)',
    '--mantine-color-dark-5': 'var(--code)',
    '--mantine-color-dark-6': 'var(--sheet)',
  },
});

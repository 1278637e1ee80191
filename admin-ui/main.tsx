import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { createRoot } from 'react-dom/client';
import { queryClient } from './api/query-client.js';
import './mantine-styles.js';
import { router } from './router.js';
import './styles.js';
import { cssVariables, theme } from './theme.js';
import { allowTextOnly } from './trusted-text.js';

const place = document.getElementById('dashboard');
const meta = document.querySelector('meta[name="style-nonce"]');
/** What the page's policy lets styles in by. */
const nonce = meta?.getAttribute('content') ?? '';

allowTextOnly();
// Read by the part of the UI kit that locks scrolling behind a dialog.
Object.assign(globalThis, { __webpack_nonce__: nonce });
// Where they cover no button of a decision: under the menu, or on a phone above.
const TOASTS = matchMedia('(max-width: 640px)').matches
  ? 'top-center'
  : 'bottom-left';
if (place !== null) {
  createRoot(place).render(
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
    >
      <Notifications position={TOASTS} limit={3} />
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>,
  );
}

import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { createRoot } from 'react-dom/client';
import { queryClient } from './api/query-client.js';
import './mantine-styles.js';
import { router } from './router.js';
import './safe-language.js';
import './styles.js';
import { cssVariables, theme } from './theme.js';

const place = document.getElementById('dashboard');
const meta = document.querySelector('meta[name="style-nonce"]');
/** The page's policy admits styles with it. */
const nonce = meta?.getAttribute('content') ?? '';

allowTextOnly();
// Read by the UI kit's scroll lock.
Object.assign(globalThis, { __webpack_nonce__: nonce });
if (place !== null) {
  createRoot(place).render(
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
    >
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>,
  );
}

type Policies = {
  createPolicy(
    name: string,
    rules: { createHTML: (text: string) => string | null },
  ): unknown;
};

/**
 * The UI kit sets style sheets as inner HTML. Text without tags and references
 * is harmless; all else is refused (spec/operators.md §3).
 */
function allowTextOnly(): void {
  const { trustedTypes } = window as { trustedTypes?: Policies };
  trustedTypes?.createPolicy('default', {
    createHTML: (text) => (/[<&]/.test(text) ? null : text),
  });
}

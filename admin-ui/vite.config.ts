import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** No inline script: the page's policy forbids it. */
export default defineConfig({
  root: here('.'),
  base: '/admin/',
  plugins: [react()],
  html: { cspNonce: '__CSP_NONCE__' },
  resolve: {
    alias: [
      {
        // A page uses the browser's Ed25519.
        find: 'libsodium-wrappers',
        replacement: here('./pages/item/browser-sodium.ts'),
      },
      {
        // Only the websocket transport is used.
        find: /^\.\/(?:transports\/)?(?:polling-xhr(?:\.node)?|webtransport)\.js$/,
        replacement: here('./live/no-transport.ts'),
      },
      // Core only: the page draws the code.
      { find: /^qrcode$/, replacement: 'qrcode/lib/core/qrcode.js' },
    ],
  },
  build: {
    outDir: here('../dist/admin-ui'),
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2022',
    // Browsers with light-dark(), as for the public pages.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    rolldownOptions: {
      output: {
        // One file for shared code, not twenty tiny ones.
        codeSplitting: {
          groups: [
            {
              name: 'parts',
              test: /admin-ui\/(?:parts\/(?!ChartLines)|api\/|pages\/item\/(?:placeholders|Placeholder|Previewed|Short|Thread|Templates|draft))[\w-]*\.tsx?$/,
            },
          ],
        },
      },
    },
  },
});

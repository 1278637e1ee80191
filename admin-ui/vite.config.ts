import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/**
 * One page under `/admin/`. No inline script and no preload polyfill, because
 * the policy of the page allows neither; the server fills the nonce in.
 */
export default defineConfig({
  root: here('.'),
  base: '/admin/',
  plugins: [react()],
  html: { cspNonce: '__CSP_NONCE__' },
  resolve: {
    alias: [
      {
        // The protocol asks libsodium; a page asks the browser.
        find: 'libsodium-wrappers',
        replacement: here('./pages/item/browser-sodium.ts'),
      },
      {
        // Of the socket's own transports only the websocket is spoken.
        find: /^\.\/(?:transports\/)?(?:polling-xhr(?:\.node)?|webtransport)\.js$/,
        replacement: here('./live/no-transport.ts'),
      },
      // Its core alone: the page draws the code by itself.
      { find: /^qrcode$/, replacement: 'qrcode/lib/core/qrcode.js' },
    ],
  },
  build: {
    outDir: here('../dist/admin-ui'),
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2022',
    // Those that know light-dark(), as the public pages ask for.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    rolldownOptions: {
      output: {
        // One file of what all pages share, instead of twenty tiny ones. The
        // charts come with the pages that have some.
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

import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/**
 * One page below `/admin/`. No inline script and no preload polyfill, because
 * the policy of the page allows neither; the server fills the nonce in.
 */
export default defineConfig({
  root: here('.'),
  base: '/admin/',
  plugins: [react()],
  html: { cspNonce: '__CSP_NONCE__' },
  resolve: {
    alias: {
      // The protocol asks libsodium; a page asks the browser (verify-proof.ts).
      'libsodium-wrappers': here('./pages/item/browser-sodium.ts'),
    },
  },
  build: {
    outDir: here('../dist/admin-ui'),
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2022',
  },
});

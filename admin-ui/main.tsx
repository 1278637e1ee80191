import { createRoot } from 'react-dom/client';
import { App } from './App.js';
import './mantine-styles.js';
import './styles.js';
import { allowTextOnly } from './trusted-text.js';

const place = document.getElementById('dashboard');
const meta = document.querySelector('meta[name="style-nonce"]');
const nonce = meta?.getAttribute('content') ?? '';

allowTextOnly();
// Read by the part of the UI kit that locks scrolling behind a dialog.
Object.assign(globalThis, { __webpack_nonce__: nonce });
if (place !== null) createRoot(place).render(<App nonce={nonce} />);

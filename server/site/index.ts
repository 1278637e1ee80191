export { FEED_STYLE } from './assets.js';
export { fittingOf, MAX_BYTES } from './bodies.js';
export { aboutDocument } from './connect.js';
export { Facts, Line } from './controls.js';
export { htmlOf, type Page } from './document.js';
export { ENTITIES } from './markdown/render-rules.js';
export { pageForm, pageQuery, sendPage } from './page-form.js';

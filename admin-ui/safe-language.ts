/**
 * Containers and kiosks have locales such as `en-US@posix`, which `Intl`
 * refuses. Charts use `Intl` as they load, so this module is imported first.
 */
try {
  new Intl.NumberFormat(navigator.language);
} catch {
  Object.defineProperty(navigator, 'language', { value: 'en' });
}

/**
 * A browser without a language of the web, as in containers and kiosks, names
 * one such as `en-US@posix`, which `Intl` refuses. Charts ask `Intl` when
 * their module loads, so this module comes before everything else.
 */
try {
  new Intl.NumberFormat(navigator.language);
} catch {
  Object.defineProperty(navigator, 'language', { value: 'en' });
}

/**
 * A worker thread that runs a TypeScript module: Node 20 loads none there by
 * itself, so the loader is registered in the thread first.
 */
export function threadOf(module: URL): URL {
  const loader = import.meta.resolve('tsx/esm/api');
  const code = `import { register } from ${JSON.stringify(loader)};
register();
await import(${JSON.stringify(module.href)});`;
  return new URL(`data:text/javascript,${encodeURIComponent(code)}`);
}

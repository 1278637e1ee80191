export type State = 'ok' | 'warn' | 'fail';

/** `fix`: what to do unless ok. */
export type Check = {
  name: string;
  state: State;
  detail: string;
  fix?: string;
};

export function ok(name: string, detail: string): Check {
  return { name, state: 'ok', detail };
}

export function warn(name: string, detail: string, fix: string): Check {
  return { name, state: 'warn', detail, fix };
}

export function fail(name: string, detail: string, fix: string): Check {
  return { name, state: 'fail', detail, fix };
}

/** The fix comes after the first `; `. */
export function failOf(name: string, sentence: string): Check {
  const [detail = sentence, ...fix] = sentence.split('; ');
  return fail(name, detail, fix.join('; ') || 'see its log');
}

export function table(checks: readonly Check[]): string {
  const width = Math.max(...checks.map(({ name }) => name.length));
  return checks
    .map(({ name, state, detail, fix }) => {
      const line = `${state.padEnd(4)}  ${name.padEnd(width)}  ${detail}`;
      if (fix === undefined) return line;
      return `${line}\n${' '.repeat(width + 8)}fix: ${fix}`;
    })
    .join('\n');
}

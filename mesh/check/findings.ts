/** `lacks`: what the other board does not do. */
export type Finding = {
  level: number;
  /** Of docs/spec/mesh.md. */
  section: string;
  rule: string;
  /** `unseen`: nothing shows it, or only `--active` would. */
  verdict: 'holds' | 'lacks' | 'unseen';
  lacks?: string;
  /** Of `unseen`: what would show it. */
  why?: string;
};

export class Findings {
  readonly all: Finding[] = [];
  level = 0;

  /** `lacks` null: the rule holds. */
  note(section: string, rule: string, lacks: string | null): boolean {
    const { level } = this;
    this.all.push(
      lacks === null
        ? { level, section, rule, verdict: 'holds' }
        : { level, section, rule, verdict: 'lacks', lacks },
    );
    return lacks === null;
  }

  unseen(section: string, rule: string, why?: string): void {
    const { level } = this;
    const one = { level, section, rule, verdict: 'unseen' } as const;
    this.all.push(why === undefined ? one : { ...one, why });
  }

  holds(level: number): boolean {
    return this.all.every(
      (one) => one.level > level || one.verdict !== 'lacks',
    );
  }
}

/** For one line. */
export function few(items: readonly string[]): string | null {
  if (items.length === 0) return null;
  const more = items.length > 3 ? ` and ${items.length - 3} more` : '';
  return `${items.slice(0, 3).join(', ')}${more}`;
}

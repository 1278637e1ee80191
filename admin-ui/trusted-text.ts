type Policies = {
  createPolicy(
    name: string,
    rules: { createHTML: (text: string) => string | null },
  ): unknown;
};

/**
 * The UI kit sets style sheets as inner HTML. Text without tags and references
 * is harmless; all else is refused (spec/operators.md §3).
 */
export function allowTextOnly(): void {
  const { trustedTypes } = window as { trustedTypes?: Policies };
  trustedTypes?.createPolicy('default', {
    createHTML: (text) => (/[<&]/.test(text) ? null : text),
  });
}

type Policies = {
  createPolicy(
    name: string,
    rules: { createHTML: (text: string) => string | null },
  ): unknown;
};

/**
 * Style sheets are handed to the browser as inner HTML by the UI kit. Text
 * without a tag and without a reference can be nothing but text: that alone
 * is let through, and everything else stays refused (spec/operators.md §3).
 */
export function allowTextOnly(): void {
  const { trustedTypes } = window as { trustedTypes?: Policies };
  trustedTypes?.createPolicy('default', {
    createHTML: (text) => (/[<&]/.test(text) ? null : text),
  });
}

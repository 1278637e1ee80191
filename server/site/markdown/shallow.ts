import type { StateBlock } from 'markdown-it';

/**
 * A block rule that ends nesting: from `level` on quotes and lists are plain
 * paragraphs. The parser itself would drop what lies deeper without a trace.
 */
export function shallow(level: number) {
  return (
    state: StateBlock,
    startLine: number,
    endLine: number,
    silent: boolean,
  ): boolean => {
    if (silent || state.level < level) return false;
    const paragraph = state.md.block.ruler.getRules('').at(-1);
    return paragraph?.(state, startLine, endLine, false) ?? false;
  };
}

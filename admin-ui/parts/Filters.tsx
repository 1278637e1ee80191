import { type ReactNode, useState } from 'react';
import { useAddress } from '../shell/use-address.js';

/**
 * The filters of a list, which stand in the address so that they can be kept
 * and shared. On a phone they are folded: the list comes first there.
 */
export function Filters({ children }: { children: ReactNode }) {
  const { search } = useAddress();
  const [open] = useState(() => matchMedia('(min-width: 40em)').matches);
  const set = Object.values(search).filter((it) => it !== undefined).length;
  return (
    <details className="filters-box" open={open}>
      <summary>Filters{set === 0 ? '' : ` (${set} set)`}</summary>
      <search className="filters">{children}</search>
    </details>
  );
}

import { Fragment, type ReactNode } from 'react';

type Props = { of: Readonly<Record<string, ReactNode>> };

/** Null values are left out. */
export function Facts({ of }: Props) {
  return (
    <dl className="facts">
      {Object.entries(of).map(([name, value]) =>
        value === null ? null : (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </Fragment>
        ),
      )}
    </dl>
  );
}

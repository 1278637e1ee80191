import { useState } from 'react';
import { useMay } from '../../access/use-access.js';
import { useGet, usePost } from '../../api/ask.js';
import { Answered, Failure } from '../../parts/Answered.js';
import { Page, Section } from '../../parts/Page.js';
import { DeviceTable } from '../account/DeviceTable.js';
import { AccountTable, type ListedOperator } from './AccountTable.js';
import { AuditTrail } from './AuditTrail.js';
import { InviteForm, OpenInvites } from './Invites.js';

export function OperatorsPage() {
  const operators = useGet<'operator.list'>('/operators');
  const admin = useMay('admin');
  const [chosen, setChosen] = useState<string | null>(null);
  return (
    <Page
      title="Operators"
      about="Viewers read, moderators decide, admins look after accounts and linked boards."
    >
      <Answered of={operators} what="the accounts">
        {({ data, invites }) => {
          const one = data.find(({ id }) => id === chosen);
          return (
            <>
              <AccountTable accounts={data} choose={setChosen} />
              {one === undefined ? null : <Sessions operator={one} />}
              {admin ? <InviteForm /> : null}
              <OpenInvites invites={invites} />
            </>
          );
        }}
      </Answered>
      <AuditTrail />
    </Page>
  );
}

function Sessions({ operator }: { operator: ListedOperator }) {
  const path = `/operators/${operator.id}/sessions`;
  const admin = useMay('admin');
  const sessions = useGet<'operator.sessions'>(path);
  const end = usePost([path, '/operators', '/audit']);
  const endOne = (id: string) => end.mutate({ path: `${path}/${id}/revoke` });
  return (
    <Section title={`Sessions of ${operator.name}`}>
      <Answered of={sessions} what="the sessions">
        {({ data }) => (
          <DeviceTable devices={data} end={admin ? endOne : null} />
        )}
      </Answered>
      <Failure error={end.error} />
    </Section>
  );
}

import { useState } from 'react';
import { useMay } from '../../access/use-access.js';
import type { Operators } from '../../api/access-answers.js';
import { useGet } from '../../api/use-ask.js';
import { Answered } from '../../parts/Answered.js';
import { Page } from '../../parts/Page.js';
import { AccountTable } from './AccountTable.js';
import { AuditTrail } from './AuditTrail.js';
import { InviteForm } from './InviteForm.js';
import { OpenInvites } from './OpenInvites.js';
import { OperatorSessions } from './OperatorSessions.js';

/** Who may do what here, and who did what. */
export function OperatorsPage() {
  const operators = useGet<Operators>('/operators');
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
              {one === undefined ? null : <OperatorSessions operator={one} />}
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

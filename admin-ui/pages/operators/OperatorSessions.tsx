import { useMay } from '../../access/use-access.js';
import type { Device, ListedOperator } from '../../api/access-answers.js';
import { useGet } from '../../api/use-ask.js';
import { usePost } from '../../api/use-post.js';
import { Answered } from '../../parts/Answered.js';
import { Failure } from '../../parts/Failure.js';
import { Section } from '../../parts/Section.js';
import { DeviceTable } from '../account/DeviceTable.js';

export function OperatorSessions({ operator }: { operator: ListedOperator }) {
  const path = `/operators/${operator.id}/sessions`;
  const admin = useMay('admin');
  const sessions = useGet<{ data: Device[] }>(path);
  const end = usePost([path, '/operators', '/audit']);
  return (
    <Section title={`Sessions of ${operator.name}`}>
      <Answered of={sessions} what="the sessions">
        {({ data }) => (
          <DeviceTable
            devices={data}
            {...(admin
              ? {
                  end: (id: string) =>
                    end.mutate({ path: `${path}/${id}/revoke` }),
                }
              : {})}
          />
        )}
      </Answered>
      {end.error === null ? null : <Failure error={end.error} />}
    </Section>
  );
}

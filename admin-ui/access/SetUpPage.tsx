import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { queryClient } from '../api/query-client.js';
import { post } from '../api/request.js';
import { Answered } from '../parts/Answered.js';
import { Empty, Page } from '../parts/Page.js';
import { RecoveryCodes } from './RecoveryCodes.js';
import { type Enrolled, SetUpForm } from './SetUpForm.js';

/** Its code is behind #, which no server sees. */
export function SetUpPage() {
  const [code] = useState(() => window.location.hash.slice(1));
  const [enrolled, setEnrolled] = useState<Enrolled | null>(null);
  const go = useNavigate();
  const look = useQuery({
    queryKey: ['setup', code],
    queryFn: () => post<'setup.look'>('/setup/look', { code }),
    enabled: code !== '' && enrolled === null,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const enter = async () => {
    await queryClient.invalidateQueries({ queryKey: ['access'] });
    await go({ to: '/', replace: true });
  };
  return (
    <main className="alone">
      {enrolled === null ? (
        <Page title="Set up your account">
          {code === '' ? (
            <Empty title="This address is not a whole set-up link.">
              Copy it again, with everything behind the sign #.
            </Empty>
          ) : (
            <Answered of={look} what="the set-up link">
              {(found) => (
                <SetUpForm code={code} look={found} done={setEnrolled} />
              )}
            </Answered>
          )}
        </Page>
      ) : (
        <Page title="Your recovery codes">
          <RecoveryCodes
            codes={enrolled.recovery_codes}
            done={() => void enter()}
          />
        </Page>
      )}
    </main>
  );
}

import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { CommandAnswers } from '../../server/dashboard/all-commands.js';
import type { AccountAnswer } from '../../server/dashboard/auth/fields.js';
import { type Role, reaches } from '../../server/dashboard/roles.js';
import { queryClient } from '../api/query-client.js';
import { get } from '../api/request.js';

type AccessState = CommandAnswers['access.state'];

const KEY = ['access'];

export function useAccess(): UseQueryResult<AccessState> {
  return useQuery({
    queryKey: KEY,
    queryFn: () => get<'access.state'>('/access'),
    staleTime: 60_000,
  });
}

/** Updates the page at once after a sign-in. */
export function signedIn({ operator }: AccountAnswer): void {
  queryClient.setQueryData<AccessState>(KEY, (before) =>
    before === undefined ? before : { ...before, signed_in: true, operator },
  );
}

/** Only hides buttons: the node checks, too. */
export function useMay(least: Role): boolean {
  const { data } = useAccess();
  return data?.operator !== undefined && reaches(data.operator.role, least);
}

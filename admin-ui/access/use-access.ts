import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import {
  type AccessState,
  type Account,
  type Role,
  reaches,
} from '../api/access-answers.js';
import { queryClient } from '../api/query-client.js';
import { get } from '../api/request.js';

const KEY = ['access'];

export function useAccess(): UseQueryResult<AccessState> {
  return useQuery({
    queryKey: KEY,
    queryFn: () => get<AccessState>('/access'),
    staleTime: 60_000,
  });
}

/** Updates the page at once after a sign-in. */
export function signedIn({ operator }: Account): void {
  queryClient.setQueryData<AccessState>(KEY, (before) =>
    before === undefined ? before : { ...before, signed_in: true, operator },
  );
}

/** Only hides buttons: the node checks, too. */
export function useMay(least: Role): boolean {
  const { data } = useAccess();
  return data?.operator !== undefined && reaches(data.operator.role, least);
}

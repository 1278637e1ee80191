/** What `/admin/api` answers about accounts. Times are ISO texts. */
export const ROLES = ['viewer', 'moderator', 'admin'] as const;
export type Role = (typeof ROLES)[number];
type Method = 'passkey' | 'passphrase';
export type Board = { name: string; title: string };

export type Operator = { id: string; name: string; alias: string; role: Role };
export type Account = { operator: Operator };

export type AccessState = {
  signed_in: boolean;
  methods: Method[];
  board: Board;
  network?: string;
} & Partial<Account>;

export type SetupLook = {
  name: string | null;
  role: Role;
  expires_at: string;
  methods: Method[];
  board: Board;
};
export type Enrolled = Account & { recovery_codes: string[] };
export type TotpOffer = { token: string; secret: string; uri: string };

export type Device = {
  id: string;
  current: boolean;
  label: string;
  method: Method | 'recovery';
  created_at: string;
  seen_at: string;
  expires_at: string;
};

export type Credentials = {
  passkeys: {
    id: string;
    label: string;
    created_at: string;
    used_at: string | null;
  }[];
  passphrase: { created_at: string } | null;
  recovery_codes_left: number;
};

export type ListedOperator = Operator & {
  state: 'active' | 'disabled';
  created_at: string;
  credentials: { passkeys: number; passphrase: boolean };
  sessions: number;
  last_seen_at: string | null;
};
type Link = { name: string; role: Role; expires_at: string };
export type Invite = Link & { made_by: string | null };
export type NewInvite = Link & { url: string };
export type Operators = { data: ListedOperator[]; invites: Invite[] };

export type AuditRow = {
  id: number;
  at: string;
  operator: string;
  session_id: string | null;
  action: string;
  subject: string;
  before: unknown;
  after: unknown;
};
export type AuditPage = { data: AuditRow[]; next: number | null };
export type AuditCheck = { ok: boolean; rows: number; broken: unknown };

/** Whether a role includes the rights of another. The node decides anyway. */
export function reaches(role: Role, least: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(least);
}

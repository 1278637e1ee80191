/** Roles, each with all the rights of those before it (operator.md 1.5). */
export const ROLES = ['viewer', 'moderator', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/** Whom an action asks for; `anyone` needs no session. */
export type Least = 'anyone' | Role;

/**
 * What an action is reached by and what it asks for. `path` is below
 * `/admin/api`. `fresh`: the credential was given in the last ten minutes.
 */
export type ActionRule = {
  method: 'GET' | 'POST';
  path: string;
  least: Least;
  fresh: boolean;
};

type RouteText = `${ActionRule['method']} /${string}`;

function needs(least: Least, route: RouteText, more?: 'fresh'): ActionRule {
  const [method, path = ''] = route.split(' ') as [
    ActionRule['method'],
    string?,
  ];
  return { method, path, least, fresh: more === 'fresh' };
}

/**
 * Every action of operators: the only place where a right is given. Nothing
 * is mounted below `/admin/api` and no command is taken from a socket without
 * its line here, and the tests of the role matrix are made of this table.
 */
export const ACTIONS = {
  // Signing in (access/).
  'access.state': needs('anyone', 'GET /access'),
  'setup.look': needs('anyone', 'POST /setup/look'),
  'setup.passkey_options': needs('anyone', 'POST /setup/passkey/options'),
  'setup.passkey': needs('anyone', 'POST /setup/passkey'),
  'setup.totp': needs('anyone', 'POST /setup/totp'),
  'setup.passphrase': needs('anyone', 'POST /setup/passphrase'),
  'sign_in.passkey_options': needs('anyone', 'POST /sign-in/passkey/options'),
  'sign_in.passkey': needs('anyone', 'POST /sign-in/passkey'),
  'sign_in.passphrase': needs('anyone', 'POST /sign-in/passphrase'),
  'sign_in.recovery': needs('anyone', 'POST /sign-in/recovery'),

  // The own account (access/).
  'session.sign_out': needs('viewer', 'POST /sign-out'),
  'session.list': needs('viewer', 'GET /sessions'),
  'session.revoke': needs('viewer', 'POST /sessions/:id/revoke'),
  'session.revoke_others': needs('viewer', 'POST /sessions/revoke-others'),
  'step_up.passkey_options': needs('viewer', 'POST /step-up/passkey/options'),
  'step_up.passkey': needs('viewer', 'POST /step-up/passkey'),
  'step_up.passphrase': needs('viewer', 'POST /step-up/passphrase'),
  'credential.list': needs('viewer', 'GET /credentials'),
  'credential.passkey_options': needs(
    'viewer',
    'POST /credentials/passkey/options',
    'fresh',
  ),
  'credential.passkey': needs('viewer', 'POST /credentials/passkey', 'fresh'),
  'credential.remove_passkey': needs(
    'viewer',
    'POST /credentials/passkey/:id/remove',
    'fresh',
  ),
  'credential.totp': needs('viewer', 'POST /credentials/totp', 'fresh'),
  'credential.passphrase': needs(
    'viewer',
    'POST /credentials/passphrase',
    'fresh',
  ),
  'credential.recovery': needs('viewer', 'POST /credentials/recovery', 'fresh'),
  'account.alias': needs('viewer', 'POST /account/alias', 'fresh'),

  // Other accounts and the trail (access/): a viewer reads everything but
  // reporters' texts, which stand in neither.
  'operator.list': needs('viewer', 'GET /operators'),
  'operator.invite': needs('admin', 'POST /operators/invite', 'fresh'),
  'operator.cancel_invite': needs(
    'admin',
    'POST /operators/invites/:name/cancel',
    'fresh',
  ),
  'operator.sessions': needs('viewer', 'GET /operators/:id/sessions'),
  'operator.revoke_session': needs(
    'admin',
    'POST /operators/:id/sessions/:session/revoke',
    'fresh',
  ),
  'operator.role': needs('admin', 'POST /operators/:id/role', 'fresh'),
  'operator.disable': needs('admin', 'POST /operators/:id/disable', 'fresh'),
  'operator.enable': needs('admin', 'POST /operators/:id/enable', 'fresh'),
  'operator.sign_out': needs('admin', 'POST /operators/:id/sign-out', 'fresh'),
  'audit.list': needs('viewer', 'GET /audit'),
  'audit.check': needs('viewer', 'GET /audit/check'),
  'audit.export': needs('viewer', 'GET /audit/export'),
  // The work (actions/); exports are files.
  'overview.read': needs('viewer', 'POST /work/overview.read'),
  'overview.chart': needs('viewer', 'POST /work/overview.chart'),
  'queue.list': needs('viewer', 'POST /work/queue.list'),
  'item.read': needs('viewer', 'POST /work/item.read'),
  'hidden.list': needs('viewer', 'POST /work/hidden.list'),
  'decision.list': needs('viewer', 'POST /work/decision.list'),
  'decision.export': needs('viewer', 'GET /work/decisions'),
  'decision.preview': needs('moderator', 'POST /work/decision.preview'),
  'decision.record': needs('moderator', 'POST /work/decision.record'),
  'subject.claim': needs('moderator', 'POST /work/subject.claim'),
  'subject.unclaim': needs('moderator', 'POST /work/subject.unclaim'),
  'report.list': needs('viewer', 'POST /work/report.list'),
  'report.settle': needs('moderator', 'POST /work/report.settle'),
  'poll.list': needs('viewer', 'POST /work/poll.list'),
  'usefulness.list': needs('viewer', 'POST /work/usefulness.list'),
  'usefulness.export': needs('viewer', 'GET /work/usefulness/:id'),
  'usefulness.draft': needs('moderator', 'POST /work/usefulness.draft'),
  'usefulness.preview': needs('moderator', 'POST /work/usefulness.preview'),
  'usefulness.publish': needs('admin', 'POST /work/usefulness.publish'),
  'template.list': needs('viewer', 'POST /work/template.list'),
  'template.save': needs('moderator', 'POST /work/template.save'),
  'template.remove': needs('moderator', 'POST /work/template.remove'),
  'view.list': needs('viewer', 'POST /work/view.list'),
  'view.save': needs('viewer', 'POST /work/view.save'),
  'view.remove': needs('viewer', 'POST /work/view.remove'),
  'system.read': needs('viewer', 'POST /work/system.read'),
  'peer.list': needs('viewer', 'POST /work/peer.list'),
  'peer.read': needs('viewer', 'POST /work/peer.read'),
  'peer.add': needs('admin', 'POST /work/peer.add', 'fresh'),
  'peer.confirm': needs('admin', 'POST /work/peer.confirm', 'fresh'),
  'peer.trust': needs('admin', 'POST /work/peer.trust', 'fresh'),
  'peer.limits': needs('admin', 'POST /work/peer.limits', 'fresh'),
  'peer.pause': needs('admin', 'POST /work/peer.pause', 'fresh'),
  'peer.resume': needs('admin', 'POST /work/peer.resume', 'fresh'),
  'peer.block': needs('admin', 'POST /work/peer.block', 'fresh'),
  'peer.hide': needs('admin', 'POST /work/peer.hide', 'fresh'),
  'peer.policy_export': needs('admin', 'POST /work/peer.policy_export'),
  'peer.policy_import': needs(
    'admin',
    'POST /work/peer.policy_import',
    'fresh',
  ),
} as const satisfies Record<string, ActionRule>;

export type ActionName = keyof typeof ACTIONS;

/** Whether a role includes another's rights. */
export function reaches(role: Role, least: Least): boolean {
  return least === 'anyone' || ROLES.indexOf(role) >= ROLES.indexOf(least);
}

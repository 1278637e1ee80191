import * as access from './access.js';
import * as addCredential from './add-credential.js';
import * as auditTrail from './audit-trail.js';
import * as credentials from './credentials.js';
import * as invites from './invites.js';
import * as operators from './operators.js';
import * as sessions from './sessions.js';
import * as setUp from './set-up.js';
import * as signIn from './sign-in.js';
import * as stepUp from './step-up.js';

/** Viewers read the whole trail: it has no text of reporters. */
export const ACCESS = [
  access,
  addCredential,
  auditTrail,
  credentials,
  invites,
  operators,
  sessions,
  setUp,
  signIn,
  stepUp,
] as const;

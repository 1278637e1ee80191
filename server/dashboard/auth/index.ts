// Every command that one of these exports is mounted.
export * as access from './access.js';
export * as addCredential from './add-credential.js';
export * as auditTrail from './audit-trail.js';
export * as credentials from './credentials.js';
export * as invites from './invites.js';
export * as operators from './operators.js';
export * as sessions from './sessions.js';
export * as setUp from './set-up.js';
export * as signIn from './sign-in.js';

/**
 * Well-known passphrases and the words that longer ones are padded from, folded
 * as `folded` of passphrase-rules.ts does: letters and digits only, lower case.
 */
export const COMMON: ReadonlySet<string> = new Set(
  `
  123456789 1234567890 0123456789 987654321 9876543210 123123123 111222333
  112233445566 121212121212 123321123321 123412341234 147258369 159753 789456123
  1q2w3e4r5t 1q2w3e4r5t6y 1q2w3e4r5t6y7u 1q2w3e4r5t6y7u8i 1qaz2wsx 1qaz2wsx3edc
  1qaz2wsx3edc4rfv zaq12wsx zaq12wsxcde3 qazwsxedc qazwsxedcrfv qazwsxedcrfvtgb
  qwerty qwertz azerty qwertyuiop qwertyuiopasdf qwertyuiopasdfghjkl
  qwertyuiopasdfghjklzxcvbnm asdfgh asdfghjkl zxcvbn zxcvbnm qwertyqwerty
  qwertyasdfgh qwerasdfzxcv asdfasdf qweasdzxc qweqweqwe abcdef abcdefg
  abcdefgh abcdefghi abcdefghij abcdefghijk abcdefghijkl abcabcabc a1b2c3d4
  a1b2c3d4e5f6 abc123abc123 abcd1234abcd password passwort passphrase motdepasse
  contrasena contrasenia senha parola wachtwoord haslo salasana passw0rd p4ssword
  p4ssw0rd pa55word pa55w0rd passwordpassword mypassword thepassword mypassphrase
  newpassword oldpassword yourpassword nopassword defaultpassword adminpassword
  rootpassword userpassword testpassword passwordadmin passwordtest secret
  secretsecret mysecret topsecret letmein letmeinnow letmeinplease letmeinletmein
  pleaseletmein openup opensesame changeme changemenow changemeplease changeit
  pleasechangeme admin adminadmin administrator administrators administrador
  rootroot rootadmin sysadmin superuser superadmin operator operatoroperator
  moderator moderatormoderator webmaster testtest testtesttest testing
  testingtesting test user useruser guest guestguest default temporary welcome
  welcomewelcome welcomeback welcomehome hello helloworld hellohello
  hellothere iloveyou iloveyouso iloveyoubaby iloveyoumore iloveme ilovemyself
  iloveyouiloveyou sunshine princess football baseball basketball monkey dragon
  master shadow superman batman spiderman starwars pokemon michael jennifer
  jessica charlie liverpool arsenal chelsea manchester manchesterunited
  barcelona realmadrid juventus freedom whatever nothing trustno1 trustnoone
  computer internet samsung google facebook microsoft linkedin
  correcthorsebatterystaple horsebatterystaple batterystaple
  thequickbrownfox thequickbrownfoxjumps quickbrownfox loremipsum loremipsumdolor
  tobeornottobe maytheforcebewithyou mothersmaidenname iamthebest idontknow
  iforgot iforgotmypassword forgotpassword cheesecheese bananabanana
  blahblahblah summer winter spring autumn summertime wintertime
  january february march april june july august september october november
  december monday tuesday wednesday thursday friday saturday sunday
  reserveboard reserve board messageboard noticeboard agents
  `
    .trim()
    .split(/\s+/),
);

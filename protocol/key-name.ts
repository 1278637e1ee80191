/** C2SP signed-note: not empty, no white space, no `+`. */
export function isKeyName(name: string): boolean {
  return name !== '' && !/[\p{White_Space}\p{Cc}\p{Cs}+]/u.test(name);
}

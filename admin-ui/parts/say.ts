import { notifications } from '@mantine/notifications';

/** A word about what was done, read out as well. */
export function say(message: string): void {
  notifications.show({ message, autoClose: 6000, role: 'status' });
}

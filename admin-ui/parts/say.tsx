import { Anchor } from '@mantine/core';
import { notifications } from '@mantine/notifications';

/** What can be done next, by its label. */
type Next = Readonly<Record<string, () => void>>;

/** Says what was done, read out as well, and offers what can be done next. */
export function say(message: string, next: Next = {}): void {
  const id = notifications.show({
    message: (
      <span className="row">
        {message}
        {Object.entries(next).map(([label, run]) => (
          <Anchor
            key={label}
            component="button"
            type="button"
            onClick={() => {
              notifications.hide(id);
              run();
            }}
          >
            {label}
          </Anchor>
        ))}
      </span>
    ),
    autoClose: 8000,
    role: 'status',
  });
}

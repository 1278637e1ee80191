import { Burger, Button } from '@mantine/core';
import { spotlight } from '@mantine/spotlight';
import { useIsFetching } from '@tanstack/react-query';
import { useAccess } from '../access/use-access.js';
import { useLiveState } from '../live/use-live.js';
import { Tag } from '../parts/Tag.js';
import { AccountLink } from './AccountLink.js';

type Props = { menu: boolean; toggleMenu: () => void; showHelp: () => void };

export function Header({ menu, toggleMenu, showHelp }: Props) {
  const { data } = useAccess();
  return (
    <div className="header">
      <Burger
        opened={menu}
        onClick={toggleMenu}
        hiddenFrom="md"
        size="sm"
        aria-label={menu ? 'Close the menu' : 'Open the menu'}
        aria-expanded={menu}
      />
      <span className="header-title">{data?.board.title ?? 'Operators'}</span>
      <Connection />
      <span className="grow" />
      <Button size="xs" variant="default" onClick={spotlight.open}>
        Find<span className="wide">&nbsp;… Ctrl K</span>
      </Button>
      <Button
        size="xs"
        variant="default"
        onClick={showHelp}
        aria-label="Help and keyboard"
      >
        ?
      </Button>
      <AccountLink />
    </div>
  );
}

/** Busy while anything of the page is being read, or read again. */
function Connection() {
  const state = useLiveState();
  const reading = useIsFetching() > 0;
  if (state === 'connected') {
    return (
      <Tag tone="good" busy={reading}>
        Live
      </Tag>
    );
  }
  return state === 'lost' ? (
    <Tag tone="bad">Not connected</Tag>
  ) : (
    <Tag>Connecting</Tag>
  );
}

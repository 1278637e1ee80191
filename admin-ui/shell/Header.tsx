import { Burger, Button } from '@mantine/core';
import { spotlight } from '@mantine/spotlight';
import { useIsFetching } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useAccess } from '../access/use-access.js';
import { useLiveState } from '../live/use-live.js';
import { Tag } from '../parts/Tag.js';

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
      <span className="wordmark header-title">
        {data?.board.title ?? 'Operators'}
      </span>
      <Connection />
      <span className="grow" />
      <Button onClick={spotlight.open}>
        Find<span className="wide">&nbsp;… Ctrl K</span>
      </Button>
      <Button onClick={showHelp} aria-label="Help and keyboard">
        ?
      </Button>
      <Link to="/account" className="account">
        <span className="unseen-label">Your account: </span>
        {data?.operator?.name ?? 'Account'}
      </Link>
    </div>
  );
}

/** Busy while anything of the page is being read, or read again. */
function Connection() {
  const state = useLiveState();
  const reading = useIsFetching() > 0;
  if (state === 'connecting') return <Tag>Connecting</Tag>;
  if (state === 'lost') return <Tag tone="bad">Offline</Tag>;
  return (
    <Tag tone="good" busy={reading}>
      Live
    </Tag>
  );
}

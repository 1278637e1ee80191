import { Link } from '@tanstack/react-router';
import { Page } from '../parts/Page.js';

export function NotFound() {
  return (
    <Page title="There is no such page">
      <p>
        The address may be mistyped. <Link to="/">Go to the overview</Link>, or{' '}
        <Link to="/find">find a message</Link>.
      </p>
    </Page>
  );
}

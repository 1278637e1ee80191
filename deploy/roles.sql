-- Two roles for one board: board_owner changes the schema, and board, which the
-- node runs as, reads and writes rows. A superuser runs this in the board's
-- database, which may be new or in use; it can be run again:
--
--   createdb -E UTF8 -T template0 board && psql -d board -f roles.sql
--
-- Then set their passwords (\password board_owner, \password board).
DO $$ BEGIN
  IF to_regrole('board_owner') IS NULL THEN CREATE ROLE board_owner LOGIN; END IF;
  IF to_regrole('board') IS NULL THEN CREATE ROLE board LOGIN; END IF;
END $$;

-- What the role board has made so far gets the new owner.
REASSIGN OWNED BY board TO board_owner;

-- The owner of the database may make tables in it, others only connect.
DO $$ BEGIN
  EXECUTE format('ALTER DATABASE %I OWNER TO board_owner', current_database());
  EXECUTE format('REVOKE ALL ON DATABASE %I FROM PUBLIC', current_database());
  EXECUTE format('GRANT CONNECT ON DATABASE %I TO board', current_database());
END $$;

-- What is there now, and what the owner makes from now on.
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO board;
GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA public TO board;
ALTER DEFAULT PRIVILEGES FOR ROLE board_owner IN SCHEMA public
  GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO board;
ALTER DEFAULT PRIVILEGES FOR ROLE board_owner IN SCHEMA public
  GRANT EXECUTE ON FUNCTIONS TO board;

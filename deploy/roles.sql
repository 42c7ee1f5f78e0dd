-- The roles of the database: `desk_owner` owns the tables and migrates, `desk` runs the application.
-- Run it as a superuser in the database of the desk, once, before the first `migrate`:
--   psql --dbname desk --file deploy/roles.sql
-- and give both roles a password: ALTER ROLE desk PASSWORD '...'.
-- `desk` cannot disable the triggers of the audit trail, nor change, empty or remove a table.

DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'desk_owner') THEN
    CREATE ROLE desk_owner LOGIN;
  END IF;
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'desk') THEN
    CREATE ROLE desk LOGIN;
  END IF;
END $$;

CREATE EXTENSION IF NOT EXISTS pg_trgm;
REVOKE ALL ON SCHEMA public FROM PUBLIC;
GRANT USAGE, CREATE ON SCHEMA public TO desk_owner;
GRANT USAGE ON SCHEMA public TO desk;

-- What is there, and what later migrations will make.
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO desk;
GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO desk;
ALTER DEFAULT PRIVILEGES FOR ROLE desk_owner IN SCHEMA public
  GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO desk;
ALTER DEFAULT PRIVILEGES FOR ROLE desk_owner IN SCHEMA public
  GRANT USAGE, SELECT ON SEQUENCES TO desk;

CREATE TABLE "frozen_accounts" (
	"account_id" uuid PRIMARY KEY NOT NULL,
	"frozen_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"fenced" boolean DEFAULT false NOT NULL,
	"searched_to" jsonb NOT NULL
);
--> statement-breakpoint
-- Lives outside the releases' functions, since triggers refer to it: a release that is dropped must not thaw accounts.
CREATE FUNCTION "refuse_frozen"() RETURNS trigger LANGUAGE plpgsql SET search_path = public AS $$
declare
  account uuid := case tg_op when 'DELETE' then old.account_id else new.account_id end;
begin
  if exists (select from frozen_accounts f where f.account_id = account and f.fenced) then
    raise exception using errcode = 'MS002', message = 'The account ' || account || ' is frozen.';
  end if;
  if tg_op = 'DELETE' then return old; end if;
  return new;
end $$;

import { afterAll, beforeAll, expect, test } from "vitest";
import { makeTasks } from "#server/jobs/tasks.ts";
import { startWorker } from "#server/jobs/worker.ts";
import { startApi } from "#server/testing/api.ts";
import { startTenantCluster } from "#server/testing/tenants.ts";
import {
  exportArchive,
  importArchive,
  provisionDatabase,
  queryRows,
  runActions,
} from "#server/testing/transfers.ts";

const tenants = await startTenantCluster();
const api = await startApi({ settings: { tenantClusters: [tenants.cluster] } });
const worker = await startWorker({ url: api.databaseUrl, tasks: makeTasks(api.platform) });
afterAll(async () => {
  await worker.stop();
  await tenants.drop();
});

interface Case {
  made: string[];
  /** What a database says of it, the same before and after. */
  asked: string;
  said: unknown[][];
}

const constraintsOf = (table: string) =>
  `select conname, pg_get_constraintdef(oid), convalidated, conenforced, conislocal from pg_constraint where conrelid = '${table}'::regclass order by 1`;
const CASES: Record<string, Case> = {
  "JSON null beside NULL": {
    made: [
      "create table nulls (n int, doc jsonb, raw json, docs jsonb[])",
      `insert into nulls values (1, 'null', 'null', array['null'::jsonb, null]), (2, null, null, null), (3, '"null"', '"null"', '{}')`,
    ],
    asked: "select n, doc is null, doc::text, raw::text, docs::text from nulls order by n",
    said: [
      [1, false, "null", "null", '{"null",NULL}'],
      [2, true, null, null, null],
      [3, false, '"null"', '"null"', "{}"],
    ],
  },
  "the text of json, its white space, doubled keys, order and digits": {
    made: [
      "create table texts (raw json, doc jsonb)",
      `insert into texts values (E'{"b" : 1,\\n "1":2.10, "b":\\t[1e400, "\\\\u0041"]}', '{"n": 0.10000000000000000000000001}')`,
    ],
    asked: "select raw::text, doc::text from texts",
    said: [['{"b" : 1,\n "1":2.10, "b":\t[1e400, "\\u0041"]}', '{"n": 0.10000000000000000000000001}']],
  },
  "JSON that is thousands of levels deep": {
    made: [
      "create table deep (doc jsonb)",
      "insert into deep select (repeat('[', 3000) || repeat(']', 3000))::jsonb",
    ],
    asked: "select length(doc::text) from deep",
    said: [[6000]],
  },
  "the bounds of arrays": {
    made: [
      "create table bounds (a int[], b text[][])",
      `insert into bounds values ('[0:2]={1,NULL,3}', '[-1:0][5:5]={{"a,b"},{"NULL"}}')`,
    ],
    asked: "select a::text, b::text, a[0], array_lower(b, 2) from bounds",
    said: [["[0:2]={1,NULL,3}", '[-1:0][5:5]={{"a,b"},{"NULL"}}', 1, 5]],
  },
  "every digit of numbers": {
    made: [
      "create table digits (f float8, r float4, n numeric, b int8, t timestamptz)",
      "insert into digits values (0.1 + 0.2::float8, 1.1::float4 / 3, 1234567890123456789.0123456789, 9007199254740993, '2027-01-31 12:00:00.000001+00'), ('-0', 'NaN', 'Infinity', -9223372036854775808, '-infinity')",
    ],
    asked: "select f::text, r::text, n::text, b::text, t::text from digits order by b",
    said: [
      ["-0", "NaN", "Infinity", "-9223372036854775808", "-infinity"],
      [
        "0.30000000000000004",
        "0.36666667",
        "1234567890123456789.0123456789",
        "9007199254740993",
        "2027-01-31 12:00:00.000001+00",
      ],
    ],
  },
  "a unique index of a partitioned table, valid": {
    made: [
      "create table days (at date, n int) partition by range (at)",
      "create table days_2026 partition of days for values from ('2026-01-01') to ('2027-01-01')",
      "create table days_rest partition of days default",
      "create unique index days_unique on days (at, n)",
      "insert into days values ('2026-05-01', 1), ('2030-01-01', 1)",
    ],
    asked:
      "select c.relname, i.indisvalid, i.indisunique, h.inhparent::regclass::text from pg_index i join pg_class c on c.oid = i.indexrelid left join pg_inherits h on h.inhrelid = c.oid where c.relname like 'days%' order by 1",
    said: [
      ["days_2026_at_n_idx", true, true, "days_unique"],
      ["days_rest_at_n_idx", true, true, "days_unique"],
      ["days_unique", true, true, null],
    ],
  },
  "keys of partitions under names of their own": {
    made: [
      "create table parts (id int constraint parts_key primary key, other int) partition by hash (id)",
      "create table parts_0 (other int, id int constraint zero_key primary key)",
      "alter table parts attach partition parts_0 for values with (modulus 1, remainder 0)",
      "create table pointing (id int, part int constraint to_part references parts) partition by list (id)",
      "create table pointing_1 (part int constraint own_name references parts, id int)",
      "alter table pointing attach partition pointing_1 for values in (1)",
    ],
    asked:
      "select conrelid::regclass::text, conname, conislocal from pg_constraint where conname in ('parts_key', 'zero_key', 'to_part', 'own_name') order by 1, 2",
    said: [
      ["parts", "parts_key", true],
      ["parts_0", "zero_key", false],
      ["pointing", "to_part", true],
      ["pointing_1", "own_name", false],
    ],
  },
  "the options of identity columns, and where they stand": {
    made: [
      "create table numbered (n int generated by default as identity (start with 100 increment by 10 minvalue 50 maxvalue 500 cache 2 cycle), word text)",
      "insert into numbered (word) values ('a'), ('b')",
    ],
    asked:
      "select seqstart, seqincrement, seqmin, seqmax, seqcache, seqcycle, pg_sequence_last_value(seqrelid)::int from pg_sequence where seqrelid = 'numbered_n_seq'::regclass",
    said: [["100", "10", "50", "500", "2", true, 110]],
  },
  "a sequence that was set and not yet read": {
    made: ["create sequence waiting as smallint owned by none", "select setval('waiting', 77, false)"],
    asked: "select last_value::int, is_called from waiting",
    said: [[77, false]],
  },
  "the options of views": {
    made: [
      "create table seen (n int)",
      "create view guarded with (security_invoker = true, security_barrier = true) as select * from seen where n > 3 with cascaded check option",
    ],
    asked: "select array(select unnest(reloptions) order by 1) from pg_class where relname = 'guarded'",
    said: [[["check_option=cascaded", "security_barrier=true", "security_invoker=true"]]],
  },
  "triggers that are disabled, always or of replicas": {
    made: [
      "create table watched (n int)",
      "create function watch() returns trigger language plpgsql as 'begin return null; end'",
      "create trigger a after insert on watched execute function watch()",
      "create trigger b after insert on watched execute function watch()",
      "create trigger c after insert on watched execute function watch()",
      "create constraint trigger d after insert on watched deferrable initially deferred for each row execute function watch()",
      "alter table watched disable trigger a",
      "alter table watched enable always trigger b",
      "alter table watched enable replica trigger c",
    ],
    asked:
      "select tgname, tgenabled::text, tginitdeferred from pg_trigger where tgrelid = 'watched'::regclass order by 1",
    said: [
      ["a", "D", false],
      ["b", "A", false],
      ["c", "R", false],
      ["d", "O", true],
    ],
  },
  comments: {
    made: [
      "create table noted (n int constraint positive check (n > 0))",
      "comment on table noted is 'it''s a table'",
      "comment on column noted.n is E'a\\nline'",
      "comment on constraint positive on noted is 'a check'",
    ],
    asked:
      "select description from pg_description where objoid in (select 'noted'::regclass::oid union select oid from pg_constraint where conname = 'positive') order by 1",
    said: [["a\nline"], ["a check"], ["it's a table"]],
  },
  "options of storage": {
    made: [
      "create table stored (t text, n int) with (fillfactor = 40, autovacuum_enabled = false, toast.autovacuum_enabled = false)",
      "alter table stored alter t set storage external, alter n set statistics 123, alter n set (n_distinct = -0.5), alter t set compression pglz",
    ],
    asked: `select c.reloptions::text[], t.reloptions::text[], (select array_agg(concat_ws(' ', attstorage, attstattarget, attoptions, nullif(attcompression, '')) order by attnum)
      from pg_attribute where attrelid = c.oid and attnum > 0) from pg_class c join pg_class t on t.oid = c.reltoastrelid where c.oid = 'stored'::regclass`,
    said: [
      [
        ["fillfactor=40", "autovacuum_enabled=false"],
        ["autovacuum_enabled=false"],
        ["e p", "p 123 {n_distinct=-0.5}"],
      ],
    ],
  },
  "options of the indexes of constraints": {
    made: [
      "create table keyed (n int, word text, constraint keyed_n primary key (n) include (word) with (fillfactor = 55))",
      "alter table keyed cluster on keyed_n",
      "alter table keyed replica identity using index keyed_n",
    ],
    asked:
      "select c.reloptions::text[], i.indisclustered, i.indisreplident from pg_class c join pg_index i on i.indexrelid = c.oid where c.relname = 'keyed_n'",
    said: [[["fillfactor=55"], true, true]],
  },
  "rights that were taken from functions, types and the owner, and given on columns": {
    made: [
      "create function secret() returns int language sql as 'select 1'",
      "revoke execute on function secret() from public",
      "create table shared (n int, word text)",
      "grant select (word) on shared to public",
      "grant insert on shared to pg_write_all_data with grant option",
      "revoke insert, update on shared from current_user",
      "create type hidden as enum ('a')",
      "revoke usage on type hidden from public",
    ],
    asked: `select replace(array_to_string(array[(select proacl::text from pg_proc where proname = 'secret'), (select relacl::text from pg_class where relname = 'shared'),
      (select attacl::text from pg_attribute where attrelid = 'shared'::regclass and attname = 'word'), (select typacl::text from pg_type where typname = 'hidden')], ';'), current_user, 'me')`,
    said: [["{me=X/me};{me=rdDxtm/me,pg_write_all_data=a*/me};{=r/me};{me=U/me}"]],
  },
  "the names of constraints, also of NOT NULL": {
    made: ["create table named (n int constraint must_be not null constraint big check (n > 5))"],
    asked: constraintsOf("named"),
    said: [
      ["big", "CHECK ((n > 5))", true, true, true],
      ["must_be", "NOT NULL n", true, true, true],
    ],
  },
  "constraints that hold for new rows alone, or for none": {
    made: [
      "create table lax (n int)",
      "insert into lax values (-1)",
      "alter table lax add constraint late check (n > 0) not valid",
      "alter table lax add constraint told check (n > 100) not enforced",
      "alter table lax add constraint filled not null n not valid",
    ],
    asked: constraintsOf("lax"),
    said: [
      ["filled", "NOT NULL n NOT VALID", false, true, true],
      ["late", "CHECK ((n > 0)) NOT VALID", false, true, true],
      ["told", "CHECK ((n > 100)) NOT ENFORCED", false, false, true],
    ],
  },
  "constraints over time": {
    made: [
      "create table rooms (id int4range, valid daterange, constraint rooms_key primary key (id, valid without overlaps))",
      "create table stays (id int4range, valid daterange, constraint in_room foreign key (id, period valid) references rooms (id, period valid))",
    ],
    asked: constraintsOf("stays"),
    said: [
      ["in_room", "FOREIGN KEY (id, PERIOD valid) REFERENCES rooms(id, PERIOD valid)", true, true, true],
    ],
  },
  "materialized views with and without data": {
    made: [
      "create materialized view unfilled as select 1 as n with no data",
      "create materialized view filled as select 2 as n",
      "create unique index filled_n on filled (n)",
    ],
    asked: "select relname, relispopulated from pg_class where relname in ('unfilled', 'filled') order by 1",
    said: [
      ["filled", true],
      ["unfilled", false],
    ],
  },
  "generated columns and checks that use functions of the tenant's": {
    made: [
      "create function twice(n int) returns int language sql immutable as 'select n * 2'",
      "create table derived (n int check (twice(n) > 0), doubled int generated always as (twice(n)) stored, more int generated always as (n + 1) virtual)",
      "insert into derived values (4)",
      // Unqualified, and over a table that is loaded later.
      "create table zz_known (n int)",
      "insert into zz_known values (1)",
      "create function is_known(m int) returns bool language sql stable as 'select exists (select from zz_known where n = m)'",
      "create table a_checked (n int constraint known check (is_known(n)))",
      "insert into a_checked values (1)",
    ],
    asked: "select d.n, doubled, more, c.n from derived d, a_checked c",
    said: [[4, 8, 5, 1]],
  },
  "views over newer views, functions over views, and both in a circle": {
    made: [
      "create view under as select 1 as n",
      "create view over as select n from under",
      "create view newer as select 2 as n",
      "create or replace view under as select n from newer",
      "create function of_view(over) returns int language sql as 'select $1.n'",
      "create view wide as select of_view(over) as m from over",
      "create or replace view newer as select 2 as n, of_view(null) as k",
      "create function counting() returns setof wide stable begin atomic select * from wide; end",
    ],
    asked: "select m, (select n from newer), (select m from counting()) from wide",
    said: [[2, 2, 2]],
  },
  "functions that call each other": {
    made: [
      "create function ping() returns int language sql as 'select 1'",
      "create function pong(n int default ping()) returns int language sql return n + 1",
      "create or replace function ping() returns int language sql return pong(5)",
    ],
    asked: "select ping()",
    said: [[6]],
  },
  "views that rest on a primary key, and what rests on them": {
    made: [
      "create table grouped (id int primary key, word text)",
      "create view by_key as select id, word, count(*) from grouped group by id",
      "create function from_view(by_key) returns text language sql immutable as 'select $1.word'",
      "create table of_views (v by_key, word text default from_view(null))",
    ],
    asked: "select pg_get_viewdef('by_key')",
    said: [[" SELECT id,\n    word,\n    count(*) AS count\n   FROM grouped\n  GROUP BY id;"]],
  },
  "domains over composite types, over domains, and with defaults that are functions": {
    made: [
      'create type pair as (a int, b text collate "C")',
      "create domain good_pair as pair constraint a_positive check ((value).a > 0)",
      "create function first_pair() returns good_pair language sql as $$ select row(1, 'x')::good_pair $$",
      "create domain outer_pair as good_pair default first_pair() not null",
      "create table pairs (p outer_pair, list good_pair[])",
      "insert into pairs (list) values (array[row(2, 'y,\"')::good_pair])",
    ],
    asked: "select p::text, list::text from pairs",
    said: [["(1,x)", '{"(2,\\"y,\\"\\"\\")"}']],
  },
  "a function whose body has the lines of archives in it": {
    made: [
      "create function marked() returns text language sql as $body$\n-- The rows of tables/*.ndjson are loaded here.\nselect ';$function$'::text;\n$body$",
    ],
    asked: "select prosrc, marked() from pg_proc where proname = 'marked'",
    said: [
      ["\n-- The rows of tables/*.ndjson are loaded here.\nselect ';$function$'::text;\n", ";$function$"],
    ],
  },
  "names with line ends, quotes and other letters": {
    made: [
      'create table "odd\nname/../""" ("a\nb" int, "c""d" text, "__proto__" int)',
      'insert into "odd\nname/../""" values (1, \'x\', 2)',
    ],
    asked: 'select to_jsonb(t) from "odd\nname/../""" t',
    said: [[JSON.parse('{"a\\nb": 1, "c\\"d": "x", "__proto__": 2}')]],
  },
  "types of every kind": {
    made: [
      "create type mood as enum ('sad', 'it''s fine')",
      "alter type mood add value 'first' before 'sad'",
      "create type reach as range (subtype = float8, subtype_diff = float8mi, multirange_type_name = reaches)",
      "create table typed (m mood, r reach, rr reaches)",
      "insert into typed values ('first', '[1.5,2)', '{[1,2),[3,4]}')",
      "create collation loose (provider = icu, locale = 'und-u-ks-level2', deterministic = false)",
      "create table worded (w text collate loose unique)",
    ],
    asked:
      "select m::text, r::text, rr::text, m < 'sad', (select attcollation::regcollation::text from pg_attribute where attrelid = 'worded'::regclass and attname = 'w') from typed",
    said: [["first", "[1.5,2)", "{[1,2),[3,4]}", true, "loose"]],
  },
  "aggregates, operators, casts and text search": {
    made: [
      "create aggregate product(int8) (sfunc = int8mul, stype = int8, initcond = '1')",
      "create function same(pair, pair) returns bool language sql immutable as 'select $1.a = $2.a'",
      "create operator === (function = same, leftarg = pair, rightarg = pair, commutator = ===, restrict = eqsel, join = eqjoinsel)",
      "create function to_int(pair) returns int language sql immutable as 'select $1.a'",
      "create cast (pair as int) with function to_int(pair) as assignment",
      "create text search dictionary plain (template = simple, stopwords = english)",
      "create text search configuration mine (copy = simple)",
      "alter text search configuration mine alter mapping for asciiword with plain",
    ],
    asked:
      "select product(n)::int, row(1, 'x')::pair === row(1, 'y')::pair, row(7, '')::pair::int, to_tsvector('mine', 'the cat')::text from generate_series(1, 5) n",
    said: [[120, true, 7, "'cat':2"]],
  },
  "inheritance, with checks of the child's own": {
    made: [
      "create table parent (a int not null, b text default 'x')",
      "create table child (c int) inherits (parent)",
      "alter table child add constraint common check (a > 0)",
      "alter table parent add constraint common check (a > 0)",
      "insert into parent values (1)",
      "insert into child values (2, 'y', 3)",
    ],
    asked: `select conrelid::regclass::text, conislocal, coninhcount::int, (select count(*)::int from only parent), (select count(*)::int from parent)
      from pg_constraint where conname = 'common' order by 1`,
    said: [
      ["child", true, 1, 1, 2],
      ["parent", true, 0, 1, 2],
    ],
  },
  "statistics, unlogged and typed tables, default rights": {
    made: [
      "create unlogged table fast (n int)",
      "create table of_type of pair (constraint of_type_key primary key (a))",
      "create statistics linked (dependencies) on a, b from of_type",
      "alter statistics linked set statistics 42",
      "alter default privileges in schema public grant select on sequences to public",
    ],
    asked: `select (select relpersistence::text from pg_class where relname = 'fast'), (select reloftype::regtype::text from pg_class where relname = 'of_type'), (select stxstattarget::int from pg_statistic_ext),
      (select count(*)::int from pg_default_acl)`,
    said: [["u", "pair", 42, 1]],
  },
};

let source = "";
let target = "";

beforeAll(async () => {
  source = await provisionDatabase(api);
  target = await provisionDatabase(api);
  for (const { made } of Object.values(CASES)) await runActions(api, source, made);
  const imported = await importArchive(api, target, await exportArchive(api, source));
  expect(imported).toMatchObject({ status: "completed", error: null });
}, 120_000);

test.each(Object.entries(CASES))("carries %s", async (_, { asked, said }) => {
  expect(await queryRows(api, source, asked)).toEqual(said);
  expect(await queryRows(api, target, asked)).toEqual(said);
});

test("exports an imported database as it was imported", async () => {
  const again = await provisionDatabase(api);
  const archive = await exportArchive(api, target);
  expect(await importArchive(api, again, archive)).toMatchObject({ status: "completed" });
  const left = Object.entries(CASES).map(async ([name, { asked, said }]) => [
    name,
    await queryRows(api, again, asked),
    said,
  ]);
  for (const [name, rows, said] of await Promise.all(left)) expect([name, rows]).toEqual([name, said]);
});

import type { Case } from "./archive-case.ts";

/** Views, functions, types, and other objects that depend on each other. */
export const OBJECT_CASES: Record<string, Case> = {
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

import postgres from "postgres";

const sql = postgres(process.env.DATABASE_URL ?? "", { max: 4 });

export const dynamic = "force-dynamic";

export async function GET(): Promise<Response> {
  const [row] = await sql`select 1 as one`;
  return Response.json(row);
}

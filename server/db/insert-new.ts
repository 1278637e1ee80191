import type {
  EntityTarget,
  ObjectLiteral,
  QueryDeepPartialEntity,
} from 'typeorm';
import type { Sql } from './sql.js';

/** Leaves rows that exist already as they are; returns columns of the new. */
export async function insertNew<Row extends ObjectLiteral>(
  { manager }: Sql,
  entity: EntityTarget<Row>,
  rows: QueryDeepPartialEntity<Row> | QueryDeepPartialEntity<Row>[],
  columns: string | string[] = '1',
): Promise<object[]> {
  const { raw } = await manager
    .createQueryBuilder()
    .insert()
    .into(entity)
    .values(rows)
    .orIgnore()
    .returning(columns)
    .updateEntity(false)
    .execute();
  return raw;
}

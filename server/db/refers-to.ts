import { JoinColumn, type JoinColumnOptions, ManyToOne } from 'typeorm';

/** A named foreign key; by the entity's name, as files would import in a circle. */
export function refersTo(
  entity: string,
  foreignKeyConstraintName: string,
  columns: JoinColumnOptions | readonly JoinColumnOptions[] = {},
  options: { onDelete?: 'CASCADE' } = {},
): PropertyDecorator {
  const [first, ...rest] = [columns].flat();
  return (target, property) => {
    ManyToOne(entity, options)(target, property);
    const named = { ...first, foreignKeyConstraintName };
    JoinColumn([named, ...rest])(target, property);
  };
}

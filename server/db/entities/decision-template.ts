import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** A wording for decisions; its `{{placeholders}}` are to be filled. */
@Entity({ name: 'decision_template' })
@Check('decision_template_lengths', 'char_length(name) BETWEEN 1 AND 60')
export class DecisionTemplate {
  @PrimaryColumn({ type: 'text' }) name!: string;
  @Column({ type: 'text' }) action!: string;
  @Column({ type: 'text' }) reason!: string;
  @Column({ type: 'text' }) explanation!: string;
  @Column({ type: 'bigint', name: 'updated_at' }) updatedAt!: number;
  @Column({ type: 'text', name: 'updated_by' }) updatedBy!: string;
}

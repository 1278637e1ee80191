import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { refersTo } from '../refers-to.js';
import {
  DELIVERY_STATES,
  type DeliveryState,
  NOTIFICATION_WAYS,
  type NotificationKind,
  type NotificationWay,
  oneOf,
} from '../states.js';
import type { Operator } from './operator.js';

@Entity({ name: 'notification_channel' })
@Index('notification_channel_of', ['operatorId'])
@Check('notification_channel_way', oneOf('way', NOTIFICATION_WAYS))
@Check(
  'notification_channel_place',
  `(way = 'webhook') = (url IS NOT NULL) AND (way = 'webhook') = (secret IS NOT NULL)
    AND (way = 'email') = (address IS NOT NULL)
    AND (way <> 'browser' OR operator_id IS NOT NULL)`,
)
@Check(
  'notification_channel_lengths',
  'char_length(url) <= 2000 AND char_length(address) <= 254 AND cardinality(kinds) <= 20',
)
export class NotificationChannel {
  @PrimaryColumn({ type: 'uuid' }) id!: string;
  /** Null: of the board, set by admins. */
  @Column({ type: 'uuid', nullable: true }) operatorId!: string | null;
  @refersTo('Operator', 'notification_channel_operator')
  operator?: Operator | null;
  @Column({ type: 'text' }) way!: NotificationWay;
  @Column({ type: 'text', array: true }) kinds!: NotificationKind[];
  @Column({ type: 'text', nullable: true }) url!: string | null;
  /** Of a webhook; sealed with a key of the board's seed. */
  @Column({ type: 'bytea', nullable: true }) secret!: Buffer | null;
  @Column({ type: 'text', nullable: true }) address!: string | null;
  @Column({ type: 'bigint' }) changedAt!: number;
  @Column({ type: 'text' }) changedBy!: string;
}

/** A subject that was notified of; it is not notified of again. */
@Entity({ name: 'notification' })
@Index('notification_at', ['at'])
export class Notification {
  @PrimaryColumn({ type: 'text' }) key!: string;
  @Column({ type: 'bigint' }) at!: number;
}

/** No text, title or name. */
export type NotifiedItem = {
  kind: NotificationKind;
  /** Under `/admin`. */
  page: string;
  alert?: string;
  at: number;
};

/** Its id stays the same when it is sent again. */
@Entity({ name: 'notification_delivery' })
@Index('notification_delivery_due', ['dueAt'], { where: "state = 'waiting'" })
@Index('notification_delivery_channel', ['channelId', 'createdAt', 'id'])
@Index('notification_delivery_created', ['createdAt'])
@Check('notification_delivery_state', oneOf('state', DELIVERY_STATES))
export class NotificationDelivery {
  @PrimaryColumn({ type: 'uuid' }) id!: string;
  @Column({ type: 'uuid' }) channelId!: string;
  @refersTo(
    'NotificationChannel',
    'notification_delivery_to',
    {},
    { onDelete: 'CASCADE' },
  )
  channel?: NotificationChannel;
  @Column({ type: 'jsonb' }) items!: NotifiedItem[];
  /** `items` are the first of these. */
  @Column({ type: 'integer' }) total!: number;
  @Column({ type: 'boolean' }) test!: boolean;
  @Column({ type: 'text' }) state!: DeliveryState;
  @Column({ type: 'integer' }) attempts!: number;
  /** A code, never the receiver's answer. */
  @Column({ type: 'text', nullable: true }) error!: string | null;
  @Column({ type: 'bigint' }) createdAt!: number;
  @Column({ type: 'bigint' }) dueAt!: number;
  @Column({ type: 'bigint', nullable: true }) sentAt!: number | null;
}

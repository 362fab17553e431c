import type { Channel } from '#shared/domain/channel.ts'
import type { Message } from '#shared/domain/message.ts'
import type { UserId } from '#shared/lib/brand.ts'

type Rights = Pick<Channel, 'capabilities' | 'config' | 'frozen'>
type Target = Pick<Message, 'userId' | 'type' | 'status' | 'pollId' | 'deletedAt'>

/** Own capabilities name the viewer's rights in a channel. Unknown (never loaded) refuses nothing: the server judges. */
export function may(channel: Pick<Channel, 'capabilities'>, capability: string): boolean {
  return channel.capabilities.length === 0 || channel.capabilities.includes(capability)
}

const isLive = (message: Target) => message.type !== 'deleted' && message.deletedAt === undefined

/** A frozen channel takes nothing new, except from those who may use it all the same. */
const isOpen = (channel: Rights) => !channel.frozen || channel.capabilities.includes('use-frozen-channel')

export const maySendMessage = (channel: Rights): boolean => isOpen(channel) && may(channel, 'send-message')

export const mayReply = (channel: Rights): boolean =>
  isOpen(channel) && channel.config.replies && may(channel, 'send-reply')

export const maySendPoll = (channel: Rights): boolean =>
  maySendMessage(channel) && channel.config.polls && may(channel, 'send-poll')

export const mayShareLocation = (channel: Rights): boolean =>
  maySendMessage(channel) && channel.config.sharedLocations && may(channel, 'share-location')

export const mayUpload = (channel: Rights): boolean =>
  isOpen(channel) && channel.config.uploads && may(channel, 'upload-file')

/** Source: wire contract 7.23. */
export function mayEditMessage(channel: Rights, message: Target, me: UserId): boolean {
  if (!isLive(message) || message.pollId !== undefined) return false
  const own = message.userId === me
  if (channel.capabilities.length === 0) return own
  return (
    channel.capabilities.includes('update-any-message') || (own && channel.capabilities.includes('update-own-message'))
  )
}

/** Named channels belong to the team, conversations between people are messages. As the local server's types. */
export const CHANNEL_TYPE = 'team'
export const DIRECT_TYPE = 'messaging'

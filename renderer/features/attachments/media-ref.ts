/** The name of an attachment's bytes on the bridge. Source: contract, `Bridge.mediaUrl`. */
export const mediaRef = (messageId: string, index: number): string => `att/${messageId}.${index}`

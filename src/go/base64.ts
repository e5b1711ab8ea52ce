/** Base64 without line breaks, as base64.StdEncoding reads it (encoding/base64). */
export const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

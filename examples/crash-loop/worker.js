// A worker that needs a variable: without it, it says so and ends.
if (process.env.DATABASE_URL === undefined) {
  console.error('DATABASE_URL is not set');
  setTimeout(() => process.exit(1), 300);
} else {
  console.log('working');
  setInterval(() => undefined, 1000);
}

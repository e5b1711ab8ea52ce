// What runs before the others, and ends.
console.log('2 tables created');

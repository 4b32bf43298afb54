# frozen_string_literal: true
# Invoices and their lines.
require 'json'
require_relative '../core/money'
autoload :Printer, 'billing/printer'

module Billing
  VERSION = '1'
  LIMIT, OTHER = 1, 2
  private_constant :OTHER

  class Error < StandardError; end

  class Invoice < Record
    include Comparable
    extend Forwardable
    attr_reader :total, :tax
    attr_accessor :note
    RATE = 0.2

    def initialize(lines, tax: 0, **opts)
      @lines = lines
    end

    def self.parse(text) = new([])

    class << self
      def build(*args, &block); end

      private

      def hidden_class_method; end
    end

    def total?; true; end
    def <=>(other) = 0
    def note!(x) = x
    private def inline_private; end
    def later_private; end
    private :later_private
    def open; end
    define_method(:dynamic) { 1 }
    alias_method :shut, :open
    alias sealed open

    protected

    def guarded; end

    private

    def helper; end
    attr_reader :inner

    public

    def visible_again; end
    def self.also_public; end

    class Line
      def amount; end
    end
    Row = Struct.new(:a, :b)
  end

  module Tools
    module_function

    def round(x); end
  end

  def self.configure; yield; end
end

class Billing::Late
  def run; end
end

def top_level(a, b = 2); end
TOP = 3
